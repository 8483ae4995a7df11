import { type Document, isAlias, isCollection, isPair, isScalar, type Node } from "yaml";

/** What a file may say once each alias is written out: its values, keys included. */
const MAX_VALUES = 1_000_000;

/** A file whose aliases name nothing, or themselves, or say too much. */
class AliasError extends Error {}

/**
 * Puts what each alias stands for in its place, in one look at each value of the file: the library searches all of the
 * file for every alias. Throws AliasError.
 */
export function writeOutAliases(document: Document.Parsed): void {
  const anchored = new Map<string, Node>();
  const sizes = new Map<Node, number>();

  /** What stands there once aliases are written out, and of how many values it is. */
  const writeOut = (node: unknown): { node: unknown; size: number } => {
    if (isAlias(node)) {
      const meant = anchored.get(node.source);
      const size = meant && sizes.get(meant);
      if (size === undefined) throw new AliasError(node.source);
      return { node: meant, size };
    }
    if (isPair(node)) {
      const [key, value] = [writeOut(node.key), writeOut(node.value)];
      [node.key, node.value] = [key.node, value.node];
      return { node, size: key.size + value.size };
    }
    let size = 1;
    if ((isCollection(node) || isScalar(node)) && node.anchor !== undefined) anchored.set(node.anchor, node);
    if (isCollection(node)) {
      for (const [at, item] of node.items.entries()) {
        const written = writeOut(item);
        node.items[at] = written.node;
        size += written.size;
        if (size > MAX_VALUES) throw new AliasError();
      }
    }
    if (isCollection(node) || isScalar(node)) sizes.set(node, size);
    return { node, size };
  };

  writeOut(document.contents);
}
