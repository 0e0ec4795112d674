/** Disjoint sets of ids that can be joined. */
export interface Union {
  /** Returns the smallest id of the set. */
  rootOf(id: string): string;
  join(a: string, b: string): void;
}

/** Creates one set per id. */
export function createUnion(ids: readonly string[]): Union {
  const parents = new Map(ids.map((id) => [id, id]));
  function rootOf(id: string): string {
    let root = id;
    for (let next = parents.get(root); next !== undefined && next !== root; ) {
      root = next;
      next = parents.get(root);
    }
    parents.set(id, root);
    return root;
  }
  return {
    rootOf,
    join(a, b) {
      const [least, other] = [rootOf(a), rootOf(b)].sort();
      if (least !== undefined && other !== undefined) parents.set(other, least);
    },
  };
}
