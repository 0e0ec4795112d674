/** Nanoseconds as a person reads them: three digits and the fitting unit. */
export function formatNanoseconds(nanoseconds: number): string {
  const [unit, size] = fittingUnit(Math.abs(nanoseconds));
  return `${threeDigits(nanoseconds / size)} ${unit}`;
}

export function formatBytes(bytes: number): string {
  if (Math.abs(bytes) < 10_000) return `${Math.round(bytes)} B`;
  if (Math.abs(bytes) < 1e6) return `${threeDigits(bytes / 1e3)} kB`;
  return `${threeDigits(bytes / 1e6)} MB`;
}

export function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function fittingUnit(nanoseconds: number): [string, number] {
  if (nanoseconds < 1e3) return ['ns', 1];
  if (nanoseconds < 1e6) return ['µs', 1e3];
  return nanoseconds < 1e9 ? ['ms', 1e6] : ['s', 1e9];
}

function threeDigits(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 1e-2))));
  return value.toFixed(Math.min(2, digits));
}
