// kekepins/mdav_java_implementation of GitHub as a program that answers JSON lines. Java 17.
//   oracle conform --algorithm mdav -- java -cp CLASSES:guava.jar kekepins_mdav.java
// CLASSES is the folder of its compiled classes. Values are doubles; a request is read by its names.
import java.util.*;
import java.util.regex.*;
import mdav.*;

class Adapter {
    static String member(String line, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(line);
        return found.find() ? found.group(1) : "";
    }

    static double[][] records(String line) { // null if they are no table of numbers
        List<double[]> rows = new ArrayList<>();
        Matcher row = Pattern.compile("\\[([^\\[\\]]*)\\]").matcher(line.substring(line.indexOf("\"records\"")));
        while (row.find()) {
            List<Double> cells = new ArrayList<>();
            Matcher cell = Pattern.compile("\"([^\"]*)\"").matcher(row.group(1));
            while (cell.find()) {
                String[] parts = cell.group(1).split("/");
                cells.add(Double.parseDouble(parts[0]) / (parts.length > 1 ? Double.parseDouble(parts[1]) : 1));
            }
            rows.add(cells.stream().mapToDouble(x -> x).toArray());
        }
        return rows.toArray(new double[0][]);
    }

    static String answer(String line) {
        if (!member(line, "\"claim\": *\"([^\"]*)").equals("mdav") || !member(line, "\"standardise\": *\"([^\"]*)").equals("none"))
            return "\"unsupported\": \"MDAV of the values as they are\"";
        try {
            double[][] rows = records(line);
            int[] columns = java.util.stream.IntStream.range(0, rows[0].length).toArray();
            MdavData data = new MdavNumericData(rows, columns, 1);
            new MdavClusteringAlgo().computeClusters(data, Integer.parseInt(member(line, "\"k\": *(-?\\d+)")));
            return "\"labels\": " + Arrays.toString(data.getClusters());
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return "\"refused\": \"" + e.getClass().getSimpleName() + "\"";
        } catch (RuntimeException e) {
            return "\"errored\": \"" + e.getClass().getSimpleName() + "\"";
        }
    }

    public static void main(String[] given) {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String line = lines.nextLine();
            System.out.println("{\"id\": \"" + member(line, "\"id\": *\"([^\"]*)") + "\", " + answer(line) + "}");
        }
    }
}
