// Places the nodes of the picture. Loaded with d3-force when the picture is seen; the same edges give the same picture.
import { forceCenter, forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';
import type { Edge } from './talk-edges.js';

export interface Placed {
  x: number;
  y: number;
}

interface Node extends Placed {
  id: string;
}

const ticks = 200;
const edgePx = 28;

export function layOut(
  edges: readonly Edge[],
  { width, height }: { width: number; height: number },
): ReadonlyMap<string, Placed> {
  const ids = [...new Set(edges.flatMap(({ a, b }) => [a, b]))].toSorted();
  const nodes: Node[] = ids.map((id, index) => ({ id, ...onCircle(index / ids.length, width, height) }));
  const links = edges.map(({ a, b }) => ({ source: a, target: b }));
  forceSimulation(nodes)
    .force(
      'link',
      forceLink<Node, { source: string | Node; target: string | Node }>(links)
        .id(({ id }) => id)
        .distance(90),
    )
    .force('charge', forceManyBody().strength(-260))
    .force('collide', forceCollide(32))
    .force('x', forceX(width / 2).strength(0.06))
    .force('y', forceY(height / 2).strength(0.12))
    .force('center', forceCenter(width / 2, height / 2))
    .stop()
    .tick(ticks);
  return new Map(nodes.map(({ id, x, y }) => [id, { x: within(x, width), y: within(y, height) }]));
}

function onCircle(share: number, width: number, height: number): Placed {
  const angle = share * 2 * Math.PI;
  return { x: width / 2 + Math.cos(angle) * 100, y: height / 2 + Math.sin(angle) * 80 };
}

function within(value: number, size: number): number {
  return Math.round(Math.min(size - edgePx, Math.max(edgePx, value)));
}
