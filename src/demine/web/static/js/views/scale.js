// The numbers of a plot: running averages, and round numbers beside the axis.

/**
 * Return the average of the last `span` points at each, from the first that has as many.
 * @param {{x: number, y: number}[]} points
 * @param {number} span
 * @returns {[number, number][]}
 */
export function running(points, span) {
  /** @type {[number, number][]} */
  const line = [];
  let sum = 0;
  points.forEach((point, at) => {
    sum += point.y - (at >= span ? points[at - span].y : 0);
    if (at >= span - 1) line.push([point.x, sum / span]);
  });
  return line;
}

/**
 * Return round numbers from `low` on, the last of them at least `high`.
 * @param {number} low
 * @param {number} high
 */
export function roundTicks(low, high) {
  const rough = Math.max(high - low, 1e-9) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough;
  const ticks = [low];
  while (ticks[ticks.length - 1] < high) ticks.push(low + step * ticks.length);
  return ticks.length > 1 ? ticks : [low, low + step];
}
