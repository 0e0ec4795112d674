/** A tool call of a recording, before its result is known. */
export interface OpenCall {
  /** Unique in the conversation. */
  readonly id: string;
  readonly name: string;
  /** The id in the recording, which may repeat. */
  readonly recorded: string | undefined;
  /** What the call itself says of its result. */
  readonly summary: string | undefined;
  /** Number of the message that makes the call. */
  readonly message: number;
}

/** The calls of a conversation that wait for their results. */
export class OpenCalls {
  readonly #ids = new Set<string>();
  #open: OpenCall[] = [];
  /** Calls that the next results without an id answer, in their order. */
  #next: OpenCall[] = [];
  /** Number of the latest message of which a result without an id answered a call. */
  #answered = 0;

  /** Calls without a result. */
  get unanswered(): readonly OpenCall[] {
    return this.#open;
  }

  /** Adds a call; its id is the recorded one, unless an earlier call has it. */
  add(call: Omit<OpenCall, 'id'>, step: number): OpenCall {
    let id = call.recorded ?? `call_${step}`;
    for (let more = 0; this.#ids.has(id); more++)
      id = `call_${step}${more === 0 ? '' : `_${more}`}`;
    this.#ids.add(id);
    const added = { ...call, id };
    this.#open.push(added);
    return added;
  }

  /** Returns the call with the recorded id, of several the first one of the latest message. */
  answerTo(recorded: string): OpenCall | undefined {
    return this.#take(firstOfLatest(this.#open.filter((call) => call.recorded === recorded)));
  }

  /**
   * Assigns the next results, which have no ids, to the calls of the latest message in their order, and if
   * they are more, to calls of messages before it. Calls of messages before an answered one remain unanswered,
   * because a recording has results in the order of the calls. A call that states its own result gets
   * one only if the results follow it directly.
   *
   * @param count - number of results one after the other.
   * @param isAfterCall - whether a call comes directly before them.
   */
  expectResults(count: number, isAfterCall: boolean): void {
    const last = this.#open.at(-1);
    const waiting = this.#open.filter(
      ({ summary, message }) => summary === undefined && message >= this.#answered,
    );
    const isOwn = isAfterCall && last?.summary !== undefined;
    if (isOwn && waiting.at(-1)?.message !== last.message) this.#next = [last];
    else {
      let from = waiting.length;
      while (from > 0 && (waiting.length - from < count || isSameMessage(waiting, from))) from--;
      this.#next = waiting.slice(from, from + count);
    }
    this.#answered = this.#next.at(-1)?.message ?? this.#answered;
  }

  /** Returns the call that the next of the expected results answers. */
  nextAnswer(): OpenCall | undefined {
    return this.#take(this.#next.shift());
  }

  #take(answered: OpenCall | undefined): OpenCall | undefined {
    if (answered !== undefined) this.#open = this.#open.filter((call) => call !== answered);
    return answered;
  }
}

function firstOfLatest(calls: readonly OpenCall[]): OpenCall | undefined {
  const latest = calls.at(-1)?.message;
  return calls.find(({ message }) => message === latest);
}

/** Whether the calls before and at an index are of one message. */
function isSameMessage(calls: readonly OpenCall[], index: number): boolean {
  const [before, at] = [calls[index - 1], calls[index]];
  return before !== undefined && before.message === at?.message;
}
