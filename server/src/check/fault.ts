/** Takes what a check's own code threw: a fault of ours, which ends that check and no other. */
export type Fault = (error: unknown) => void;

/**
 * What the event loop calls on a check's behalf. An error that leaves such a function would end the thread, and with
 * it every check under way.
 */
export const guarded =
  <Arguments extends unknown[]>(fault: Fault, act: (...given: Arguments) => void) =>
  (...given: Arguments): void => {
    try {
      act(...given);
    } catch (error) {
      fault(error);
    }
  };
