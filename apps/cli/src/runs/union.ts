/** Sets of ids that can be joined. */
export interface Union {
  /** The least id of the set. */
  rootOf(id: string): string;
  join(a: string, b: string): void;
}

/** One set for each id. */
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
