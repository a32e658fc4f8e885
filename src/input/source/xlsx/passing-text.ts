/** Text that passes by in pieces, of which some is copied, some passed over, and something added. Places count from its begin. */
export class PassingText {
  /** What has come, and where it begins in the whole. */
  #text = '';
  #base = 0;
  /** How much of the whole is copied or passed over. */
  #done = 0;
  #pieces: string[] = [];

  push(text: string): void {
    this.#text += text;
  }

  slice(from: number, to: number): string {
    return this.#text.slice(from - this.#base, to - this.#base);
  }

  copyTo(end: number): void {
    if (end > this.#done) this.#pieces.push(this.slice(this.#done, end));
    this.skipTo(end);
  }

  skipTo(end: number): void {
    this.#done = Math.max(this.#done, end);
  }

  add(text: string): void {
    this.#pieces.push(text);
  }

  /** What is to be written so far. What is before `end` is not asked for again. */
  take(end: number): string {
    this.skipTo(end);
    this.#text = this.#text.slice(end - this.#base);
    this.#base = end;
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces.join('');
  }
}
