import { describe, expect, it } from 'bun:test';
import { importOne, sketch } from '../../test/read.ts';

const run = (...contents: [role: string, content: string][]): object => ({
  messages: contents.map(([role, content]) => ({ role, content })),
});

describe('the objective', () => {
  it.each([
    [
      "We're currently solving the following issue within our repository. Here's the issue text:\nISSUE:\nIt breaks.\nINSTRUCTIONS: of ours\n\n\nINSTRUCTIONS:\nNow, you're going to solve this.",
      'It breaks.\nINSTRUCTIONS: of ours',
    ],
    [
      '<uploaded_files>\n/repo\n</uploaded_files>\nConsider this:\n<pr_description>\nConsider the following PR description:\nIt breaks.\n</pr_description>\nFollow these steps.',
      'It breaks.',
    ],
    ['<issue_description>\nIt breaks.\n</issue_description>\n1. Read it.', 'It breaks.'],
    [
      'You are an AI assistant.\n\nTask Description:\nMake it.\n\nCurrent terminal state:\n$',
      'Make it.',
    ],
    ['<system-reminder>\nBe brief.\n</system-reminder>\nMake it.', 'Make it.'],
    ['You are an agent.\nTASK:\nMake it.\nTask:\nof ours', 'Make it.\nTask:\nof ours'],
    ['You are an agent.\nTask: Make it.\nCurrent terminal state: \n$', 'Make it.'],
    [
      "We're currently solving the following CTF challenge. Task Description: Find the flag.",
      'Find the flag.',
    ],
    ['Thank you. ###STOP###', 'Thank you.'],
    ['Thank you. ###TRANSFER###', 'Thank you.'],
    ['Thank you. ###OUT-OF-SCOPE###', 'Thank you.'],
    ...['system-reminder', 'environment_context', 'environment_details', 'user_instructions'].map(
      (name): [string, string] => [`<${name}>\nBe brief.\n</${name}>\nMake it.`, 'Make it.'],
    ),
    ['<ide_opened_file>a.ts</ide_opened_file>\nMake it.', 'Make it.'],
    ...['problem_statement', 'task_description', 'issue', 'task', 'user_query'].map(
      (tag): [string, string] => [
        `Read:\n<${tag}>\nThe tag </${tag}> breaks.\n</${tag}>\nFix it.`,
        `The tag </${tag}> breaks.`,
      ],
    ),
  ])('is only the task: %j', async (text, task) => {
    const { trace, provenance } = await importOne(run(['user', text], ['assistant', 'Done.']));
    expect(trace.task.objective).toBe(task);
    expect(Object.keys(provenance?.stripped ?? {})).toHaveLength(1);
  });

  it.each([
    ['Write the chapter INSTRUCTIONS:\nINSTRUCTIONS:\nturn left'],
    ['Close the <task> tag'],
    ['</task> comes before <task>'],
    ['<task>\n</task>'],
    ['<system-reminder>only this</system-reminder>'],
    ['You are a fine one. What is 2 + 2?'],
  ])('is unchanged without signs of a template: %j', async (text) => {
    const { trace, provenance } = await importOne(run(['user', text], ['assistant', 'Done.']));
    expect(trace.task.objective).toBe(text);
    expect(provenance?.stripped).toBeUndefined();
  });

  it('is the user message after a greeting', async () => {
    const item = await importOne(
      run(
        ['user', 'Hi there!'],
        ['assistant', 'Hello!'],
        ['user', 'Book a flight.'],
        ['assistant', 'Booked.'],
        ['user', '###STOP###'],
      ),
    );
    expect(item.trace.task.objective).toBe('Book a flight.');
    expect(sketch(item)).toEqual(['thought Hello!', 'thought Booked.']);
    expect(item.provenance?.stripped).toEqual({ greeting: 1, stop_mark: 1 });
  });

  it.each([
    ...['hi', 'Hello', 'HEY', 'hiya', 'howdy', 'Greetings'],
    ...['good morning', 'good afternoon', 'good evening', 'good day'],
    ...['there', 'all', 'everyone', 'team', 'claude', 'assistant'].map((who) => `Hi ${who}`),
    ...['  Hi  ', 'Hi :)', 'Hi, how are you?', 'Hi! How are you doing today?', 'Hi. How are you!'],
  ])('is not the greeting %j', async (greeting) => {
    const item = await importOne(
      run(
        ['user', greeting],
        ['user', ' '],
        ['user', 'Hey!'],
        ['user', 'Book.'],
        ['assistant', 'Ok'],
      ),
    );
    expect(item.trace.task.objective).toBe('Book.');
    expect(item.provenance?.stripped).toEqual({ greeting: 1 });
  });

  it.each(['Hi Bob', 'Say hi', 'Hi! Fix the test', 'Hi, how are you paid?', 'Delhi'])(
    'may start or end like a greeting: %j',
    async (objective) => {
      const item = await importOne(
        run(['user', objective], ['user', 'Book.'], ['assistant', 'Booked.']),
      );
      expect(item.trace.task.objective).toBe(objective);
    },
  );

  it.each([
    [200, 'Book a flight.'],
    [201, `Hi${'!'.repeat(199)}`],
  ])('is not the greeting unless that exceeds 200 characters: %d', async (length, objective) => {
    const item = await importOne(
      run(['user', 'Hi'.padEnd(length, '!')], ['user', 'Book a flight.'], ['assistant', 'Booked.']),
    );
    expect(item.trace.task.objective).toBe(objective);
  });

  it('loses only the whitespace next to a mark', async () => {
    const item = await importOne(
      run(
        ['user', 'Go.'],
        ['assistant', 'Where?'],
        ['user', '  There. ###STOP### Now.  '],
        ['assistant', 'Gone.'],
      ),
    );
    expect(sketch(item)[1]).toBe('observation   There.Now.  ');
    expect(item.provenance?.stripped).toEqual({ stop_mark: 1 });
  });

  it('counts every mark of a user and keeps those in tool results', async () => {
    const item = await importOne(
      run(
        ['user', 'Go. ###STOP###'],
        ['assistant', 'Where?'],
        ['user', 'There. ###STOP###'],
        ['tool', 'Found ###STOP### in a.txt'],
        ['assistant', 'Gone.'],
      ),
    );
    expect(sketch(item)[2]).toBe('observation Found ###STOP### in a.txt');
    expect(item.provenance?.stripped).toEqual({ stop_mark: 2 });
  });

  it('is the user message directly after instructions', async () => {
    const item = await importOne(
      run(['user', 'You are a careful clerk.'], ['user', 'File this.'], ['assistant', 'Filed.']),
    );
    expect(item.trace.task.objective).toBe('File this.');
    const later = await importOne(
      run(['user', 'You are a clerk. File this.'], ['assistant', 'Filed.'], ['user', 'Thanks.']),
    );
    expect(later.trace.task.objective).toBe('You are a clerk. File this.');
  });

  it.each([
    ['You are a clerk.', true],
    ['\n You are a clerk.', true],
    ['You are an agent.', true],
    ['You are the clerk.', true],
    ['# System prompt', true],
    ['# Instructions', true],
    ['<instructions>Be brief.</instructions>', true],
    ['<system>Be brief.</system>', true],
    ['You are at home?', false],
    ['Say: You are a clerk.', false],
    ['# Summary', false],
    ['<systematic>', false],
    ['<instruction>', false],
  ])('excludes instructions before the user message: %j', async (first, areInstructions) => {
    const item = await importOne(
      run(['user', first], ['user', 'File it.'], ['assistant', 'Done.']),
    );
    expect(item.trace.task.objective).toBe(areInstructions ? 'File it.' : first);
    expect(item.provenance?.stripped).toEqual(areInstructions ? { instructions: 1 } : undefined);
  });

  it('is the last turn of a thread if the caller requests it', async () => {
    const thread = run(
      ['user', 'What is 2 + 2?'],
      ['assistant', '4'],
      ['assistant', 'Anything else?'],
      ['user', 'And 3 + 3?'],
      ['assistant', '6'],
      ['user', 'Thanks.'],
    );
    const last = await importOne(thread, { turns: 'last' });
    expect(last.trace.task.objective).toBe('And 3 + 3?');
    expect(sketch(last)).toEqual(['thought 6', 'observation Thanks.']);
    expect(last.provenance?.stripped).toEqual({ earlier_step: 2 });
    expect(sketch(await importOne(thread))).toHaveLength(5);
  });
});
