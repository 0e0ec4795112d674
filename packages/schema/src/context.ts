/** The JSON-LD context that new traces carry. */
export const KP_CONTEXT = 'https://openknowledgepulse.org/schema/v1';

/** An earlier address of the same context, accepted on the way in and kept as it is. */
export const KP_CONTEXT_ALIAS = 'https://knowledgepulse.dev/schema/v1';
