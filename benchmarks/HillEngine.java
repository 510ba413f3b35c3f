import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;

import minesweeper.gamestate.GameStateModelViewer;
import minesweeper.settings.GameSettings;
import minesweeper.solver.Solver;
import minesweeper.solver.settings.PlayStyle;
import minesweeper.solver.settings.SettingsFactory;
import minesweeper.solver.settings.SolverSettings;
import minesweeper.solver.utility.BinomialCache;
import minesweeper.structure.Action;
import minesweeper.structure.Location;

/**
 * D. Hill's solver as an engine of docs/engine.md, for engine_choices.py. Compile it against a
 * checkout of github.com/DavidNHill/Minesweeper. Its settings are those of its own bulk runs.
 */
public final class HillEngine {
    /** A board of which only what the player sees is known. */
    private static final class Seen extends GameStateModelViewer {
        private final int[][] numbers;

        Seen(String[] rows, int mines) {
            super(GameSettings.create(rows[0].length(), rows.length, mines), 0);
            numbers = new int[width][height];
            partialGame = true;
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    char face = rows[y].charAt(x);
                    if (face == '.' || Character.isDigit(face)) {
                        numbers[x][y] = face == '.' ? 0 : face - '0';
                        setRevealed(x, y);
                    }
                }
            }
            start(new Location(0, 0));
        }

        @Override protected void startHandle(Location cell) { }
        @Override protected void placeFlagHandle(Location cell) { }
        @Override protected int queryHandle(int x, int y) { return numbers[x][y]; }
        @Override protected boolean clearSquareHitMine(Location cell) { return false; }
        @Override protected boolean clearSurroundHandle(Location cell) { return true; }
        @Override public int privilegedQuery(Location cell, boolean mines) { return query(cell); }
        @Override public String showGameKey() { return "seen"; }
        @Override public boolean safeOpening() { return false; }
    }

    private static String bestMove(Seen seen, BinomialCache binomials) {
        SolverSettings settings = SettingsFactory.GetSettings(SettingsFactory.Setting.SMALL_ANALYSIS);
        Solver solver = new Solver(seen, settings.setSingleThread(true), false);
        solver.setPlayStyle(PlayStyle.NO_FLAG);
        solver.setBinomialCache(binomials);
        solver.start();
        for (Action action : solver.getResult()) {
            if (action.getAction() == Action.CLEAR) {
                return "bestmove " + action.y + " " + action.x;
            }
        }
        return "bestmove none";
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        // The solver says things of its own.
        System.setOut(System.err);
        BinomialCache binomials =
            new BinomialCache(5000, Solver.BINOMIAL_CACHE_LIMIT, Solver.binomialEngine);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        int mines = 0;
        Seen seen = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.trim().split("\\s+");
            switch (words[0]) {
                case "umi" -> answers.println("id name Hill\numiok");
                case "isready" -> answers.println("readyok");
                case "newgame" -> mines = Integer.parseInt(words[1].split("/")[1]);
                case "position" -> seen = new Seen(words[1].split("/"), mines);
                case "go" -> answers.println(bestMove(seen, binomials));
                case "quit" -> System.exit(0);
                default -> { }
            }
            answers.flush();
        }
    }
}
