// Judge a function by vectors: Runner.check(Path.of("mdav.json"), (records, k) -> groups). Java 17.
// Records are rows of numbers, groups lists of record numbers; what is invalid must be thrown at.
import java.nio.file.*;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Runner {
    static final List<String> SHAPES = List.of(
        "kinds", "series", "dissimilarity", "constraints", "strata", "blocks", "sampling_weights", "released");
    private final String json;
    private int at;

    private Runner(String json) { this.json = json; }

    private char next() { // the next sign that is no space
        while (" \n\r\t,:".indexOf(json.charAt(at)) >= 0) at++;
        return json.charAt(at);
    }

    private Object value() { // texts, integers, lists, maps, null
        char first = next();
        if (first == '"') {
            StringBuilder text = new StringBuilder();
            for (at++; json.charAt(at) != '"'; at++) text.append(json.charAt(json.charAt(at) == '\\' ? ++at : at));
            at++;
            return text.toString();
        }
        if (first == '[' || first == '{') {
            List<Object> items = new ArrayList<>();
            for (at++; next() != ']' && next() != '}'; ) items.add(value());
            at++;
            if (first == '[') return items;
            Map<Object, Object> map = new HashMap<>();
            for (int i = 0; i < items.size(); i += 2) map.put(items.get(i), items.get(i + 1));
            return map;
        }
        int start = at;
        while (",]} \n".indexOf(json.charAt(at)) < 0) at++;
        String word = json.substring(start, at);
        return word.equals("null") ? null : (Object) (int) Long.parseLong(word);
    }

    static double number(Object text) { // "7", "-0.25", "4e-2" or "1/3"; NaN if it is none
        String[] parts = text.toString().split("/");
        if (!text.toString().matches("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?(/\\d+)?")) return Double.NaN;
        return Double.parseDouble(parts[0]) / (parts.length > 1 ? Double.parseDouble(parts[1]) : 1);
    }

    static boolean asked(Map<?, ?> vector) { // tables of numbers, without a scale or a parameter
        return vector.get("standardise").equals("none") && vector.get("seed") == null
            && ((Map<?, ?>) vector.get("parameters")).isEmpty() && SHAPES.stream().noneMatch(vector::containsKey)
            && SHAPES.stream().noneMatch(((Map<?, ?>) vector.get("expectation"))::containsKey);
    }

    static Set<Set<Object>> sets(Object groups) { // groups are sets
        return ((List<?>) groups).stream().map(g -> new HashSet<Object>((List<?>) g)).collect(Collectors.toSet());
    }

    static boolean right(Map<?, ?> vector, BiFunction<double[][], Integer, List<List<Integer>>> group) {
        Map<?, ?> expected = (Map<?, ?>) vector.get("expectation");
        double[][] rows = ((List<?>) vector.get("records")).stream()
            .map(row -> ((List<?>) row).stream().mapToDouble(Runner::number).toArray()).toArray(double[][]::new);
        List<List<Integer>> groups;
        try {
            groups = group.apply(rows, (Integer) vector.get("k"));
        } catch (RuntimeException e) {
            return expected.get("kind").equals("reject");
        }
        if (expected.get("kind").equals("reject")) return false;
        if (groups == null || !groups.stream().flatMap(List::stream).sorted().toList()
            .equals(IntStream.range(0, rows.length).boxed().toList())) return false;
        if (expected.containsKey("partitions"))
            return ((List<?>) expected.get("partitions")).stream().anyMatch(one -> sets(one).equals(sets(groups)));
        int least = (Integer) expected.get("least");
        int greatest = expected.containsKey("greatest") ? (Integer) expected.get("greatest") : rows.length;
        return groups.stream().allMatch(g -> g.size() >= least && g.size() <= greatest);
    }

    public static boolean check(Path file, BiFunction<double[][], Integer, List<List<Integer>>> group) throws Exception {
        Map<?, ?> whole = (Map<?, ?>) new Runner(Files.readString(file)).value();
        List<Map<?, ?>> vectors = new ArrayList<>();
        for (Object one : (List<?>) whole.get("vectors")) if (asked((Map<?, ?>) one)) vectors.add((Map<?, ?>) one);
        List<Map<?, ?>> wrong = vectors.stream().filter(one -> !right(one, group)).toList();
        for (Map<?, ?> one : wrong) System.out.println("wrong: " + one.get("id"));
        System.out.println((vectors.size() - wrong.size()) + " passed, " + wrong.size() + " failed");
        return wrong.isEmpty() && !vectors.isEmpty();
    }
}
