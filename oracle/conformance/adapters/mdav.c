/* MDAV as a program that answers JSON lines, to be copied and changed. C99, no libraries.
     cc -O2 -o mdav mdav.c && oracle conform --algorithm mdav -- ./mdav
   Of the request it looks for "id", "k" and "records", whose cells are numbers in quotes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 24, MOST = 1 << 20 };
static char line[LONGEST];
static double cell[MOST], from[MOST];
static int width, label[MOST]; /* -1: not yet in a group */

static double distance(int i) {
    double sum = 0;
    for (int j = 0; j < width; j++) sum += (cell[i * width + j] - from[j]) * (cell[i * width + j] - from[j]);
    return sum;
}

static void look_from_average(int n, int left) { /* differences from a row keep digits far from 0 */
    int first = 0;
    while (label[first] >= 0) first++;
    for (int j = 0; j < width; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) if (label[i] < 0) sum += cell[i * width + j] - cell[first * width + j];
        from[j] = cell[first * width + j] + sum / left;
    }
}

static void look_from(int i) { memcpy(from, cell + i * width, width * sizeof *cell); }

static int extreme(int n, int without, int sign) { /* the farthest (1) or nearest (-1), the first of equals */
    int best = -1;
    for (int i = 0; i < n; i++)
        if (label[i] < 0 && i != without && (best < 0 || sign * (distance(i) - distance(best)) > 0)) best = i;
    return best;
}

static int group_around(int seed, int n, int k, int without, int number) {
    look_from(seed);
    for (int size = 0, i = seed; size < k; size++, i = extreme(n, without, -1)) label[i] = number;
    return number + 1;
}

static void mdav(int n, int k) {
    int left = n, group = 0;
    for (int i = 0; i < n; i++) label[i] = -1;
    for (; left >= 3 * k; left -= 2 * k) {
        look_from_average(n, left);
        int r = extreme(n, -1, 1);
        look_from(r);
        int s = extreme(n, r, 1);
        group = group_around(r, n, k, s, group);
        group = group_around(s, n, k, -1, group);
    }
    if (left >= 2 * k) {
        look_from_average(n, left);
        group = group_around(extreme(n, -1, 1), n, k, -1, group);
    }
    for (int i = 0; i < n; i++) if (label[i] < 0) label[i] = group;
}

static char *after(const char *key) { /* what follows "key": in the line */
    char *found = strstr(line, key);
    return found ? found + strlen(key) + strspn(found + strlen(key), " :") : NULL;
}

static const char *read_records(char *at, int *n) { /* why they make no sense; NULL if they do */
    int cells = 0, before = 0;
    *n = width = 0;
    for (int depth = 0; *at; at++) {
        if (*at == '[') depth++;
        else if (*at == ']' && --depth == 0) break;
        else if (*at == ']') { /* of a row */
            if (*n && cells - before != width) return "rows of different lengths";
            width = cells - before, before = cells, ++*n;
        } else if (*at == '"') { /* "1", "2.5", "-4e-2" and "1/3" are cells */
            size_t length = strspn(at + 1, "0123456789+-.eE/");
            if (!length || at[1 + length] != '"') return "a cell is no number";
            double value = strtod(at + 1, &at);
            cell[cells++] = *at == '/' ? value / strtod(at + 1, &at) : value;
        }
    }
    return width ? NULL : "no values";
}

int main(void) {
    while (fgets(line, LONGEST, stdin)) {
        char *id = after("\"id\""), *k = after("\"k\""), *scale = after("\"standardise\"");
        char *records = after("\"records\"");
        if (!id || !k || !scale || !records) return 1; /* not a request */
        int n, size = atoi(k);
        const char *refused = read_records(records, &n);
        if (!refused && (size < 1 || size > n)) refused = "k is less than 1 or more than the records";
        printf("{\"id\": \"%.*s\", ", (int)strcspn(id + 1, "\""), id + 1);
        if (!strstr(line, "\"mdav\"") || strncmp(scale, "\"none\"", 6)) printf("\"unsupported\": \"MDAV of the values as they are\"}\n");
        else if (refused) printf("\"refused\": \"%s\"}\n", refused);
        else {
            mdav(n, size);
            for (int i = 0; i < n; i++) printf("%s%d", i ? ", " : "\"labels\": [", label[i]);
            printf("]}\n");
        }
        fflush(stdout);
    }
    return 0;
}
