/** A record is no longer in the state that the caller expects. */
export class ChangedMeanwhile<State> extends Error {
  readonly present: State;

  constructor(present: State) {
    super('changed meanwhile');
    this.present = present;
  }
}
