import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompilerState,
  ConsoleMessageId,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
} from '@microsoft/api-extractor';
import { compilerOptions } from './compiler-options.ts';
import type { EntryPoint } from './entry-points.ts';

/** A report that differs from the declarations. */
export interface ReportChange {
  /** The specifier of the entry point. */
  readonly name: string;
  /** The report's file. */
  readonly path: string;
  /** The differing lines, or a sentence if the repository has no report. */
  readonly difference: string;
}

/**
 * Compares the API report of each entry point with its built declarations. Unless `check` is set, writes
 * the reports that differ to the folder `api` of their package.
 *
 * @returns the differences found; empty if all reports are current.
 * @throws Error if declarations cannot be read.
 */
export async function updateReports(
  entryPoints: readonly EntryPoint[],
  { check }: { readonly check: boolean },
): Promise<readonly ReportChange[]> {
  const temporary = await mkdtemp(join(tmpdir(), 'kp-api-'));
  try {
    const configs = entryPoints.map((entryPoint) => configOf(entryPoint, temporary));
    const [first] = configs;
    if (first === undefined) throw new TypeError('entry points: expected one, received none');
    // Use one program for all entry points: reading declarations takes most of the time.
    const compilerState = CompilerState.create(first, {
      additionalEntryPoints: entryPoints.map(({ declarations }) => declarations),
    });
    const changes: ReportChange[] = [];
    for (const [index, { name, folder }] of entryPoints.entries()) {
      const config = configs[index] as ExtractorConfig;
      if (!check) await mkdir(join(folder, 'api'), { recursive: true });
      const difference = compare(config, compilerState, check);
      const path = config.reportConfigs[0]?.fileName ?? '';
      if (difference) changes.push({ name, path: join(config.reportFolder, path), difference });
    }
    return changes;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function compare(
  config: ExtractorConfig,
  compilerState: CompilerState,
  check: boolean,
): string | undefined {
  let difference = 'expected a report, received none';
  const errors: string[] = [];
  const { apiReportChanged } = Extractor.invoke(config, {
    compilerState,
    localBuild: !check,
    printApiReportDiff: true,
    messageCallback: (message) => {
      if (message.messageId === ConsoleMessageId.ApiReportDiff) difference = message.text;
      if (message.logLevel === ExtractorLogLevel.Error) errors.push(message.text);
      message.handled = true;
    },
  });
  if (errors.length > 0) throw new Error(`${config.mainEntryPointFilePath}: ${errors.join('\n')}`);
  return apiReportChanged ? difference : undefined;
}

function configOf(
  { folder, subpath, declarations }: EntryPoint,
  temporary: string,
): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: declarations,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [declarations] } },
      apiReport: {
        enabled: true,
        reportFileName: subpath,
        reportFolder: join(folder, 'api'),
        reportTempFolder: temporary,
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        // The report covers the public interface only; the reference checks documentation.
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  });
}
