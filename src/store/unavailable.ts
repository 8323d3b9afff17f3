/** The database could not keep a change: the disk is full or failing, or another process would not let go of it. */
export class StoreUnavailable extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'StoreUnavailable';
  }
}
