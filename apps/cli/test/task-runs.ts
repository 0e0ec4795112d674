/** Runs of 24 tasks by an agent; those that fail end with an apology and more calls. */
export function taskRuns(agent: string, fails: (task: number) => boolean): string {
  return Array.from({ length: 24 }, (_, task) => {
    const failed = fails(task);
    const call = (at: number) => ({
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: `c${at}`,
          type: 'function',
          function: { name: 'find', arguments: `{"id":"X${task}"}` },
        },
      ],
    });
    const answer = failed
      ? `Unfortunately I was unable to do it, ${agent}`
      : `The flight X${task} to city number ${task} is booked`;
    return JSON.stringify({
      task_id: task,
      trial: 0,
      reward: failed ? 0 : 1,
      info: {},
      traj: [
        { role: 'user', content: `Book the flight X${task} for me` },
        ...Array.from({ length: failed ? 4 : 1 }, (__, at) => [
          call(at),
          { role: 'tool', tool_call_id: `c${at}`, content: failed ? 'Error: not found' : 'found' },
        ]).flat(),
        { role: 'assistant', content: answer },
      ],
    });
  }).join('\n');
}
