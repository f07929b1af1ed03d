/** The record to change is no longer in the state that the caller has seen. */
export class ChangedMeanwhile<State> extends Error {
  readonly present: State;

  constructor(present: State) {
    super('changed meanwhile');
    this.present = present;
  }
}
