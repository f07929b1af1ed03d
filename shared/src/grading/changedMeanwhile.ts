/** What the caller wants to change is not in the state that the caller knows. */
export class ChangedMeanwhile<State> extends Error {
  readonly present: State;

  constructor(present: State) {
    super('changed meanwhile');
    this.present = present;
  }
}
