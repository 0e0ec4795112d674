/** Creates tau-bench chats of an agent with tools. */
export function madeUpChats(): unknown[] {
  return Array.from({ length: 12 }, (_, chat) => ({
    task_id: chat,
    trial: 0,
    reward: chat % 2,
    info: {},
    traj: Array.from({ length: 12 }, (_, turn) => messageOf(chat, turn)),
  }));
}

function messageOf(chat: number, turn: number): unknown {
  const id = `call_${chat}_${turn - (turn % 3)}`;
  if (turn % 3 === 0) return { role: 'user', content: `Change ${chat} of my order W${chat * 37}.` };
  if (turn % 3 === 2) return { role: 'tool', tool_call_id: id, content: `{"order":"W${chat}"}` };
  const call = { name: 'get_order', arguments: `{"order_id":"W${chat * 37}","turn":${turn}}` };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: call }],
  };
}
