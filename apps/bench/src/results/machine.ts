import { cpus, loadavg } from 'node:os';

/** Processor, cores, load and runtime, in a line: what a figure is worth depends on them. */
export function describeMachine(): string {
  const cores = cpus();
  const model = cores[0]?.model.trim() ?? 'an unknown processor';
  const load = loadavg()[0]?.toFixed(1) ?? '?';
  return `${cores.length} cores of ${model}, load ${load}, ${describeRuntime()}`;
}

function describeRuntime(): string {
  const { bun, node } = process.versions;
  return bun === undefined ? `Node ${node}` : `Bun ${bun}`;
}
