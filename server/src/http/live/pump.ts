/** Work that is done again when asked for while it is being done, but never twice at a time. */
export interface Pump {
  /** Asks for the work; returns at once. */
  run(): void;
  /** Resolves when no work is under way. */
  idle(): Promise<void>;
  stop(): void;
}

/** `work` must not reject. */
export function createPump(work: () => Promise<void>): Pump {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const loop = async (): Promise<void> => {
    while (again && !stopped) {
      again = false;
      await work();
    }
    running = null;
  };
  return {
    run() {
      again = true;
      if (!stopped) running ??= loop();
    },
    idle: async () => {
      await running;
    },
    stop() {
      stopped = true;
    },
  };
}
