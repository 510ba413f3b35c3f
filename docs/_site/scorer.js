// Which page of the site a search names first: what players read, then names of the library.
var Scorer = {
  score: ([page, title, _anchor, _text, score]) =>
    score +
    (/^(play|tutorial)\//.test(page) ? 4 : /^(howto\/|reference\/\w+$)/.test(page) ? 2 : 0) -
    (/^(benchmarks|changelog)/.test(page) ? 8 : 0) -
    (/\.[A-Z_]+$/.test(title) ? 10 : 0), // constants are named like everything else
  objNameMatch: 13,
  objPartialMatch: 2,
  objPrio: { 0: 0, 1: 0, 2: -4 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
