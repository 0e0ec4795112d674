import type { GivenFile } from './protocol.ts';

/** Recordings included with the page. */
export interface Example {
  /** Id in the address: `#example=code`. */
  readonly id: string;
  readonly title: string;
  /** Files of the folder `examples`. */
  readonly files: readonly string[];
}

export const EXAMPLES: readonly Example[] = [
  { id: 'code', title: 'Code: 10 runs, one of 44 steps', files: ['code.jsonl'] },
  {
    id: 'customer-service',
    title: 'Customer service: 9 runs, some repeated',
    files: ['customer_service.jsonl'],
  },
  {
    id: 'all',
    title: 'All: 49 runs of seven domains',
    files: [
      'code.jsonl',
      'customer_service.jsonl',
      'finance.jsonl',
      'general.jsonl',
      'medical.jsonl',
      'research-array.json',
      'single-trace.json',
    ],
  },
];

/**
 * Loads the files of an example from the folder of the page.
 *
 * @throws Error if a file cannot be loaded.
 */
export async function loadExample({ files }: Example): Promise<GivenFile[]> {
  return Promise.all(
    files.map(async (name) => {
      const response = await fetch(new URL(`examples/${name}`, document.baseURI));
      if (!response.ok)
        throw new Error(`${name}: expected the example, received ${response.status}`);
      return { file: await response.blob(), name };
    }),
  );
}
