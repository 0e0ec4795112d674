export {
  type ArgumentType,
  assertFields,
  assertType,
  InvalidTypeError,
  InvalidValueError,
} from './argument-errors.ts';
export { LONGEST_TIMER_MS, onAbort, rejectOnAbort, withTimeout } from './bounded-wait.ts';
export {
  canHoldOptions,
  codeOf,
  describeValue,
  isPlainObject,
  messageOf,
  wordsOf,
} from './describe.ts';
export { decimal, percent } from './format.ts';
export { type ErrorDetails, KnowledgePulseError } from './knowledge-pulse-error.ts';
export {
  DependencyError,
  type DependencyErrorCode,
  importOptional,
  type OptionalImport,
} from './optional-import.ts';
export { createPause, nextTask } from './pause.ts';
export { plainPasswordWarning, type ServerConnection } from './plain-password.ts';
export { seededIntegers } from './random.ts';
export { redactUrls } from './redact-urls.ts';
export { sha256 } from './sha256.ts';
export {
  loadSqlite,
  type OpenDatabase,
  type SqliteDatabase,
  type SqliteStatement,
  type SqliteValue,
  sqliteFailure,
} from './sqlite-database.ts';
export { processMark, removeAbandoned } from './temporary-names.ts';
export { createWholeFile, type WholeFile } from './whole-file.ts';
