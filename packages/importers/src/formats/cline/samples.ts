import type { ImporterSample } from '../../importer/importer.ts';

const text = (words: string): object => ({ type: 'text', text: words });
const SURROUNDINGS = text(
  '<environment_details>\n# Current Mode\nACT MODE\n</environment_details>',
);
const said = (role: string, ...content: readonly object[]): object => ({ role, content });
const OBJECTIVE = 'What is the weather in Oslo?';
const ASKED = 'tool_call get_weather {"city":"Oslo"}';

export const samples: readonly ImporterSample[] = [
  {
    name: 'calls as elements',
    text: JSON.stringify([
      {
        ...said('user', text('<task>\nWhat does the parser do?\n</task>'), SURROUNDINGS),
        ts: 1767323045000,
      },
      said(
        'assistant',
        text('<thinking>I look.</thinking>\n\n<read_file>\n<path>a/parse.ts</path>\n</read_file>'),
      ),
      said(
        'user',
        text("[read_file for 'a/parse.ts'] Result:\nError reading file: not there"),
        SURROUNDINGS,
      ),
      said(
        'assistant',
        text(
          '<execute_command>\n<command>ls a</command>\n<requires_approval>false</requires_approval>\n</execute_command>',
        ),
      ),
      said(
        'user',
        text("[execute_command for 'ls a'] Result:\nCommand executed.\nOutput:\nparser.ts"),
        SURROUNDINGS,
      ),
      said(
        'assistant',
        text('<attempt_completion>\n<result>It parses.</result>\n</attempt_completion>'),
      ),
      said(
        'user',
        text('[attempt_completion] Result:\n<feedback>\nThank you\n</feedback>'),
        SURROUNDINGS,
      ),
    ]),
    outline: [
      'asked What does the parser do?',
      'thought I look.',
      'tool_call read_file {"path":"a/parse.ts"}',
      'observation Error reading file: not there',
      'error_recovery execute_command {"command":"ls a","requires_approval":"false"}',
      'observation Command executed.\nOutput:\nparser.ts',
      'thought It parses.',
      'observation Thank you',
      'recorded at 2026-01-02T03:04:05.000Z',
      'framework cline',
      'source {}',
      'shell_tools one',
      'stripped {"environment_details":4,"instructions":1}',
      'step 1: messages[1].0.1',
      'step 2: messages[1].0.1, text',
      'step 3: messages[3].0.0',
      'step 4: messages[3].0.0',
      'step 6: user',
    ],
  },
  {
    name: 'results in separate blocks, a page with closing tags, a tool of a server',
    text: JSON.stringify([
      said('user', text('<task>\nWrite the page.\n</task>'), SURROUNDINGS),
      said(
        'assistant',
        text(
          '<write_to_file>\n<path>p.html</path>\n<content>\n<content>a</content>\n<b>c</b>\n</content>\n</write_to_file>',
        ),
      ),
      said(
        'user',
        text("[write_to_file for 'p.html'] Result:"),
        text('The content was saved.'),
        SURROUNDINGS,
      ),
      said(
        'assistant',
        text(
          'Now it is sent.\n<use_mcp_tool>\n<server_name>mail</server_name>\n<tool_name>send</tool_name>\n<arguments>{"to":"Mara"}</arguments>\n</use_mcp_tool>',
        ),
      ),
      said(
        'user',
        text("[use_mcp_tool for 'mail'] Result:"),
        text('The user denied this operation.'),
        SURROUNDINGS,
      ),
      said(
        'assistant',
        text('<ask_followup_question>\n<question>Why not?</question>\n</ask_followup_question>'),
      ),
      said(
        'user',
        text("[ask_followup_question for 'Why not?'] Result:\n<answer>\nLater.\n</answer>"),
        SURROUNDINGS,
      ),
    ]),
    outline: [
      'asked Write the page.',
      'tool_call write_to_file {"path":"p.html","content":"<content>a</content>\\n<b>c</b>"}',
      'observation The content was saved.',
      'thought Now it is sent.',
      'tool_call send {"to":"Mara"}',
      'observation The user denied this operation.',
      'tool_call ask_followup_question {"question":"Why not?"}',
      'observation Later.',
      'framework cline',
      'source {}',
      'stripped {"environment_details":4,"instructions":1}',
      'step 0: messages[1].0.0',
      'step 1: messages[1].0.0',
      'step 3: messages[3].0.1',
      'step 4: messages[3].0.1, rejected',
      'step 5: messages[5].0.0',
      'step 6: messages[5].0.0',
    ],
  },
  {
    name: "calls of the API's own, thinking, a call that was not executed",
    text: JSON.stringify([
      said('user', text(`<task>\n${OBJECTIVE}\n</task>`), SURROUNDINGS),
      said(
        'assistant',
        { type: 'thinking', thinking: 'I have to look.', signature: 's' },
        { type: 'tool_use', id: 'c1', name: 'get_weather', input: { city: 'Oslo' } },
        { type: 'tool_use', id: 'c2', name: 'read_file', input: { path: 'x' } },
      ),
      said(
        'user',
        { type: 'tool_result', tool_use_id: 'c1', content: '[get_weather] Result:\nRain.' },
        text(
          'Tool [read_file] was not executed because a tool has already been used in this message.',
        ),
        SURROUNDINGS,
      ),
      said('assistant', text('It rains.')),
      said('user', text('[ERROR] You did not use a tool in your previous response!'), SURROUNDINGS),
    ]),
    outline: [
      `asked ${OBJECTIVE}`,
      'thought I have to look.',
      ASKED,
      'tool_call read_file {"path":"x"}',
      'observation Rain.',
      'observation Tool [read_file] was not executed because a tool has already been used in this message.',
      'error_recovery It rains.',
      'observation [ERROR] You did not use a tool in your previous response!',
      'framework cline',
      'source {}',
      'stripped {"environment_details":3,"instructions":1}',
      'step 1: c1',
      'step 2: c2',
      'step 3: c1',
      'step 4: c2, text',
      'step 6: notice, text',
    ],
  },
];
