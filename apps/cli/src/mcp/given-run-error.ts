import { KnowledgePulseError } from '@kp/foundation';

/** A run that a tool cannot use. The message says how the caller can correct it. */
export class GivenRunError extends KnowledgePulseError<'RUN_UNUSABLE'> {
  constructor(subject: string, expected: string, received: string) {
    const details = {
      name: 'GivenRunError',
      code: 'RUN_UNUSABLE',
      subject,
      expected,
      received,
    } as const;
    super(details, shortened(`${subject}: expected ${expected}, received ${received}`));
  }
}

/** Maximum length of text that an error message or answer quotes from the input. */
const MOST_CHARACTERS = 2000;

function shortened(message: string): string {
  return message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS)}…` : message;
}
