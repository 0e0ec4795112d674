import type { ImporterSample } from '../../importer/importer.ts';

export const samples: readonly ImporterSample[] = [
  {
    name: 'a chat with an edit that did not apply',
    text: `
# aider chat started at 2026-01-02 03:04:05

> Aider v0.47.2
> Models: claude-3-5-sonnet with diff edit format

#### /add a.py

> Added a.py to the chat.

#### Fix the loop.
#### It never ends.

I change the condition.

a.py
<<<<<<< SEARCH
while True:
=======
while x:
>>>>>>> REPLACE

> The LLM did not conform to the edit format.

I try again.

> Applied edit to a.py
`,
    outline: [
      'asked Fix the loop.\nIt never ends.',
      'thought I change the condition.\n\na.py\n<<<<<<< SEARCH\nwhile True:\n=======\nwhile x:\n>>>>>>> REPLACE',
      'observation The LLM did not conform to the edit format.',
      'error_recovery I try again.',
      'observation Applied edit to a.py',
      'assumed_utc at 2026-01-02T03:04:05.000Z',
      'framework aider',
      'source {"started_at":"2026-01-02 03:04:05"}',
      'model claude-3-5-sonnet',
      'omitted {"header":2,"command":1}',
      'step 1: program, text',
      'step 3: program',
    ],
  },
];
