const ENDINGS = /\.(json|jsonl|ndjson|traj|eval|csv|parquet|pb|otlp|tar|tgz|zip)(\.(gz|zst))?$/i;

/** Transcripts in Markdown, of which a folder has many other files. */
const TRANSCRIPTS =
  /(?:^|[\\/])(?:\.aider\.chat\.history|\.specstory[\\/]history[\\/][^\\/]+)\.md$/i;

/**
 * Whether a file of that name may be a recording: a folder may hold anything.
 *
 * @param name - with or without its folders.
 */
export function isRecordingName(name: string): boolean {
  return ENDINGS.test(name) || TRANSCRIPTS.test(name);
}
