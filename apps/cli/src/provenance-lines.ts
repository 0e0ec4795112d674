import type { DerivedField, Provenance } from '@kp/importers';
import { printable } from './printable.ts';

const SHOWN = 5;

/** Where the fields of an imported trace come from, a line each. */
export function provenanceLines(provenance: Provenance): string[] {
  const { format, source, success, confidence, domain, derived, omitted } = provenance;
  const ids = Object.entries(source).map(([name, value]) => `${name} ${value}`);
  const lines = [
    `imported from ${format}${ids.length === 0 ? '' : `, ${printable(ids.join(', '))}`}`,
    `  success ${success}, confidence ${confidence}, domain ${domain}`,
  ];
  const recoveries = derived.filter((field) => field.field === 'type');
  if (recoveries.length > 0) lines.push(`  ${recoveryText(recoveries)}`);
  for (const [kind, amount] of Object.entries(omitted ?? {})) {
    lines.push(`  ${amount} of the kind ${printable(kind)} without text`);
  }
  return lines;
}

function recoveryText(recoveries: readonly Extract<DerivedField, { field: 'type' }>[]): string {
  const shown = recoveries.slice(0, SHOWN).map(({ step_id, from }) => {
    return `step ${step_id} from the error in ${from.join(' and ')}`;
  });
  const more = recoveries.length > SHOWN ? ` and ${recoveries.length - SHOWN} more` : '';
  return `recoveries are derived: ${shown.join(', ')}${more}`;
}
