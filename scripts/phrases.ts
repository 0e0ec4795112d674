/** A phrase to avoid, and the number of remaining uses. */
export interface Phrase {
  /** A regular expression; spaces also match the end of a line and the start of a comment. */
  readonly phrase: string;
  /** The replacement. */
  readonly write: string;
  /** The number of uses in all files; it may only decrease. */
  readonly most: number;
}

/** A use of a phrase. */
export interface Use {
  readonly file: string;
  /** The first line is 1. */
  readonly line: number;
  readonly text: string;
}

/** Finds the uses of each phrase in texts, comments and strings. */
export function findPhrases(
  phrases: readonly Phrase[],
  files: ReadonlyMap<string, string>,
): ReadonlyMap<Phrase, readonly Use[]> {
  const uses = new Map(phrases.map((phrase) => [phrase, [] as Use[]]));
  for (const [phrase, found] of uses) {
    const words = phrase.phrase.replaceAll(
      ' ',
      String.raw`(?:[ \t]*\n[ \t]*(?://|\*|#|>)?)?[ \t]*`,
    );
    const pattern = new RegExp(String.raw`\b(?:${words})\b`, 'gi');
    for (const [file, text] of files) {
      for (const match of text.matchAll(pattern)) {
        const line = text.slice(0, match.index).split('\n').length;
        found.push({ file, line, text: match[0].replace(/\s+/g, ' ') });
      }
    }
  }
  return uses;
}

/**
 * Describes each phrase that is used more often than allowed, with its uses in `changed` files.
 */
export function describePhrases(
  uses: ReadonlyMap<Phrase, readonly Use[]>,
  changed: ReadonlySet<string>,
): string[] {
  return [...uses].flatMap(([{ phrase, write, most }, found]) => {
    if (found.length <= most) return [];
    const here = found.filter(({ file }) => changed.has(file));
    const lines = here.map(({ file, line, text }) => `  ${file}:${line}: ${text}`);
    return [
      [
        `phrases: expected at most ${most} uses of /${phrase}/, received ${found.length}; write: ${write}`,
        ...lines,
      ].join('\n'),
    ];
  });
}
