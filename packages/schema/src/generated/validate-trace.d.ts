/** Generated from ReasoningTraceSchema: whether a value satisfies its JSON Schema. */
export declare function validate(input: unknown): boolean;
