/** Made at its first use, and then kept: what only some commands, or some files, need is not made when a process starts. */
export function onFirstUse<Value extends object>(make: () => Value): () => Value {
  let made: Value | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
