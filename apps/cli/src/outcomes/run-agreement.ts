import { type Agreement, AgreementError, createAgreementReader } from '@kp/curation';
import type { Run } from '../runs/run.ts';
import type { RunFields } from '../runs/run-fields.ts';
import {
  type GroupedRun,
  type GroupField,
  groupNotes,
  groupRuns,
  namedTasks,
} from '../runs/task-groups.ts';
import { type AgentFlags, createAgentNames } from './agents.ts';

/** The agreement of all runs, or why there is none. */
interface FoundAgreement {
  /** In the order of reading; empty if there is none. */
  readonly values: Agreement['values'];
  /** Why no run can be compared, in one line. */
  readonly refusal?: string;
}

/** Takes in runs as they are read, and keeps only their ends. */
export interface RunAgreement {
  add(run: Run, fields: RunFields): void;
  /**
   * @param by - what runs of one task share.
   * @throws UsageError if `--agent-key` named no agent.
   */
  find(by: GroupField): FoundAgreement;
}

export function createRunAgreement(flags: AgentFlags): RunAgreement {
  const reader = createAgreementReader();
  const agents = createAgentNames(flags);
  const runs: GroupedRun[] = [];
  return {
    add(run, fields) {
      reader.add({ trace: run.trace, agent: agents.of(run, fields) });
      runs.push({ fields, provenance: run.provenance });
    },
    find(by) {
      agents.check();
      const groups = groupRuns(runs, by);
      const tasks = namedTasks(runs, groups, by).map((task) => task ?? undefined);
      try {
        return { values: reader.agreement(tasks).values };
      } catch (error) {
        if (!(error instanceof AgreementError)) throw error;
        return { values: [], refusal: [error.message, ...groupNotes(groups)].join('; ') };
      }
    },
  };
}
