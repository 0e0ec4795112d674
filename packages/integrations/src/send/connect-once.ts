/** A client that is created when it is needed first. */
export interface Connection<Client> {
  /** Returns the client. After a failure, the next call connects again. */
  client(): Promise<Client>;
  /** Makes the next call connect again. */
  reset(): void;
}

export function connectOnce<Client>(connect: () => Promise<Client>): Connection<Client> {
  let connecting: Promise<Client> | undefined;
  const reset = (): void => {
    connecting = undefined;
  };
  return {
    client() {
      connecting ??= connect().catch((error: unknown) => {
        reset();
        throw error;
      });
      return connecting;
    },
    reset,
  };
}
