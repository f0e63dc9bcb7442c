/* MDAV as a program that answers JSON lines, to be copied and changed. C99, no libraries.
     cc -O2 -o mdav mdav.c && oracle conform --algorithm mdav -- ./mdav */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 24, MOST = LONGEST / 4 }; /* a cell takes four characters or more */
static char line[LONGEST];
static double cell[MOST], average[MOST];
static int n, width, label[MOST]; /* 0: not yet in a group */

static void find_average(int left) { /* of differences from a row, which keeps digits far from 0 */
    int first = 0;
    while (label[first]) first++;
    for (int j = 0; j < width; j++) {
        double sum = 0, origin = cell[first * width + j];
        for (int i = first; i < n; i++) sum += label[i] ? 0 : cell[i * width + j] - origin;
        average[j] = origin + sum / left;
    }
}

static int extreme(int sign, const double *from, int without) { /* the farthest (1) or nearest (-1) */
    int best = -1;
    double most = 0, sum;
    for (int i = 0; i < n; i++) {
        if (label[i] || i == without) continue;
        sum = 0;
        for (int j = 0; j < width; j++) sum += (cell[i * width + j] - from[j]) * (cell[i * width + j] - from[j]);
        if (best < 0 || sign * sum > most) best = i, most = sign * sum; /* the first of equals */
    }
    return best;
}

static void form_group(int seed, int k, int without, int number) { /* the seed and its k-1 nearest */
    for (int i = seed; k > 0; k--, i = extreme(-1, cell + seed * width, without)) label[i] = number;
}

static void mdav(int k) {
    int left = n, groups = 0;
    memset(label, 0, n * sizeof *label);
    for (int two; left >= 2 * k; left -= two ? 2 * k : k) { /* two groups while 3k are left */
        find_average(left);
        two = left >= 3 * k;
        int r = extreme(1, average, -1), s = two ? extreme(1, cell + r * width, r) : -1;
        form_group(r, k, s, ++groups);
        if (two) form_group(s, k, -1, ++groups);
    }
}

static const char *read_records(char *at) { /* why they make no sense; NULL if they do */
    int cells = 0;
    for (n = width = 0; *(at += strspn(at, " ,")) == '['; n++) {
        for (at++; *(at += strspn(at, " ,")) == '"'; at++) {
            char *text = at + 1, *end = text + strspn(text, "0123456789+-.eE/");
            cell[cells] = strtod(text, &at);
            if (*at == '/') cell[cells] /= strtod(at + 1, &at);
            if (at == text || at != end || *at != '"') return "a cell is no number";
            cells++;
        }
        if (n == 0) width = cells;
        if (*at++ != ']' || cells != (n + 1) * width) return "a row of another length";
    }
    return width ? NULL : "no values";
}

static char *member(const char *name) { /* the value of a member of the request */
    char *at = strstr(line, name);
    if (!at) exit(1);
    return at + strlen(name) + strspn(at + strlen(name), " ");
}

int main(void) {
    while (fgets(line, LONGEST, stdin)) {
        char *id = member("\"id\":"), *claim = member("\"claim\":"), *scale = member("\"standardise\":");
        const char *refused = read_records(member("\"records\":") + 1);
        int k = atoi(member("\"k\":")), length = 1;
        while (id[length] != '"') length += id[length] == '\\' ? 2 : 1;
        printf("{\"id\": %.*s\", ", length, id);
        if (strncmp(claim, "\"mdav\"", 6) || strncmp(scale, "\"none\"", 6))
            printf("\"unsupported\": \"MDAV of the values as they are\"}\n");
        else if (refused || k < 1 || k > n)
            printf("\"refused\": \"%s\"}\n", refused ? refused : "k is less than 1, or more than the records");
        else {
            mdav(k);
            for (int i = 0; i < n; i++) printf("%s%d", i ? ", " : "\"labels\": [", label[i]);
            printf("]}\n");
        }
        fflush(stdout);
    }
}
