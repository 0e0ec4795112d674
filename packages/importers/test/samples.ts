import { BUILT_IN_IMPORTERS, type ImporterSample } from '../src/index.ts';

/** The samples of all formats. */
export const SAMPLES: readonly (ImporterSample & { readonly format: string })[] = (
  await Promise.all(
    BUILT_IN_IMPORTERS.map(async ({ name: format, samples }) =>
      (await samples()).map((sample) => ({ format, ...sample })),
    ),
  )
).flat();
