// A button in each code block copies it: of a console only what is typed, without prompts and output.
const [COPY, COPIED] = document.documentElement.lang.startsWith("zh") ? ["复制", "已复制"] : ["Copy", "Copied"];
const PROMPTS = { pycon: /^(>>>|\.\.\.) ?/, console: /^\$ / };

function typed(block) {
  const lines = block.querySelector("pre").textContent.trimEnd().split("\n");
  const kind = Object.keys(PROMPTS).find((each) => block.classList.contains(`highlight-${each}`));
  const prompt = PROMPTS[kind];
  const kept = prompt ? lines.filter((line) => prompt.test(line)) : lines;
  return kept.map((line) => (prompt ? line.replace(prompt, "") : line)).join("\n") + "\n";
}

function addButton(block) {
  const button = document.createElement("button");
  button.className = "copy";
  button.textContent = COPY;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(typed(block));
    button.textContent = COPIED;
    setTimeout(() => { button.textContent = COPY; }, 1500);
  });
  block.append(button);
}

// A page that is read over plain HTTP may not write to the clipboard.
if (navigator.clipboard) document.querySelectorAll("article div[class*='highlight-']").forEach(addButton);
