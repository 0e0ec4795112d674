/** The ids under which a command names runs whose ids contain masked values. */
export interface MaskedIds {
  /** Returns the masked id, with a number if another run has the same one. */
  add(id: string, masked: string): string;
  /** Returns the masked id of an added run. */
  get(id: string): string | undefined;
}

export function createMaskedIds(): MaskedIds {
  const masks = new Map<string, string>();
  const taken = new Set<string>();
  return {
    add(id, masked) {
      const known = masks.get(id);
      if (known !== undefined) return known;
      let distinct = masked;
      for (let number = 2; taken.has(distinct); number++) distinct = `${masked}-${number}`;
      masks.set(id, distinct);
      taken.add(distinct);
      return distinct;
    },
    get: (id) => masks.get(id),
  };
}
