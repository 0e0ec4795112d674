import { VectorCache } from '@knowledgepulse/sdk';
import { measureStarts } from '../fresh/measure-starts.ts';
import { runProgram } from '../fresh/run-program.ts';
import { findTransformersModel } from '../inputs/models.ts';
import { randomVectors } from '../inputs/random-vectors.ts';
import type { Figure } from '../results/results-file.ts';
import { measureInstalledSizes } from './installed-size.ts';

const ROUNDS = 9;
const VECTORS = 10_000;

/** What is measured outside the suite: starts of processes, sizes and memory. */
export async function measureFigures(
  onMissing: (what: string, reason: string) => void,
): Promise<Figure[]> {
  return [
    ...(await startFigures()),
    ...(await firstCallFigure(onMissing)),
    ...memoryFigures(),
    ...(await measureInstalledSizes()),
  ];
}

async function startFigures(): Promise<Figure[]> {
  const starts = await measureStarts(['empty', 'import-facade', 'first-score'], ROUNDS);
  const over = (name: string, milliseconds: number): Figure => ({
    name: `${name}, over an empty process`,
    unit: 'nanoseconds',
    value: (milliseconds - starts.empty) * 1e6,
  });
  return [
    { name: 'empty process', unit: 'nanoseconds', value: starts.empty * 1e6 },
    over('import of the facade', starts['import-facade']),
    over('cold start: import to first score', starts['first-score']),
  ];
}

async function firstCallFigure(
  onMissing: (what: string, reason: string) => void,
): Promise<Figure[]> {
  const model = findTransformersModel();
  const name = 'transformers embedder, first call';
  if (model.kind === 'missing') {
    onMissing(name, model.reason);
    return [];
  }
  const words = model.kind === 'folder' ? [model.path] : [];
  const milliseconds = Number(await runProgram('fresh/first-embedding', words));
  return [{ name, unit: 'nanoseconds', value: milliseconds * 1e6 }];
}

function memoryFigures(): Figure[] {
  const dimensions = 384;
  const vectors = randomVectors(1000, dimensions, 7);
  return [true, false].map((flat): Figure => {
    const cache = new VectorCache({ maxElements: VECTORS, dimensions, flat });
    for (let index = 0; index < VECTORS; index++) {
      cache.add(vectors[index % vectors.length] as Float32Array);
    }
    const name = `memory a vector of ${dimensions}${flat ? ', flat' : ''}`;
    return { name, unit: 'bytes', value: cache.memoryBytes / VECTORS };
  });
}
