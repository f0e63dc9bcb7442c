% Programs of GitHub in Octave (MATLAB) as a program that answers JSON lines. Octave 7.
%   oracle conform --algorithm gsms -- octave-cli octave_checkouts.m gsms FOLDER
%   oracle conform --algorithm mdav -- octave-cli octave_checkouts.m comas FOLDER
% gsms is GSMS.m of nielsencastelo/Mdav-Matlab, comas is sensitive_MDAV.m of axolotte/Comas, which
% takes two attributes; FOLDER is that of the checkout.
1;

function groups = by_gsms(rows, k) % a row of numbers for each group, filled up with zeros
  [~, ~, parts, number] = GSMS(rows, k);
  groups = cell(1, number);
  for i = 1:number
    groups{i} = parts(i, parts(i, :) > 0) - 1;
  end
end

function m = mean(x) % that of no rows is NaN in MATLAB, for which GSMS.m is written
  if isempty(x)
    m = nan(1, columns(x));
  elseif rows(x) == 1
    m = sum(x) / numel(x);
  else
    m = sum(x) / rows(x);
  end
end

function groups = by_comas(rows, k) % it returns the values of each group: whose they are is found
  name = tempname();
  dlmwrite([name ".txt"], rows, "delimiter", " ", "precision", 17);
  clusters = sensitive_MDAV(k, name, 1, 2);
  delete([name ".txt"]);
  left = true(1, size(rows, 1));
  groups = cell(1, numel(clusters));
  for i = 1:numel(clusters)
    for j = 1:size(clusters{i}, 1)
      here = find(left' & all(rows == clusters{i}(j, :), 2), 1);
      left(here) = false;
      groups{i}(end + 1) = here - 1;
    end
  end
end

function value = number(text) % "7", "-0.25", "4e-2" or "1/3"
  parts = strsplit(text, "/");
  value = str2double(parts{1}) / str2double([parts(2:end) {"1"}]{1});
end

function reply = answer(request, program)
  rows = cellfun(@(row) cellfun(@number, row(:)'), request.records(:), "UniformOutput", false);
  if isempty(rows) || any(cellfun(@numel, rows) != numel(rows{1})) || isempty(rows{1})
    reply = struct("refused", "no table");
    return
  end
  table = cell2mat(rows);
  if ~strcmp(request.standardise, "none")
    reply = struct("unsupported", "values are taken as they are");
  elseif any(isnan(table(:)))
    reply = struct("refused", "not a number");
  elseif strcmp(program, "comas") && columns(table) != 2
    reply = struct("unsupported", "it takes two attributes");
  elseif strcmp(program, "comas")
    reply = struct("groups", {by_comas(table, request.k)});
  else
    reply = struct("groups", {by_gsms(table, request.k)});
  end
end

given = argv();
addpath(given{2});
warning("off", "all");
while true
  try
    line = builtin("input", "", "s"); % fgetl would wait for more than a line
  catch
    break
  end
  % cells stay texts, and rows stay rows
  request = jsondecode(line, "makeValidName", false);
  rows = regexp(line(strfind(line, "\"records\""):end), "\\[([^\\[\\]]*)\\]", "tokens");
  request.records = cellfun(@(row) cellfun(@(c) c{1}, regexp(row{1}, "\"([^\"]*)\"", "tokens"), ...
                                           "UniformOutput", false), rows, "UniformOutput", false);
  try
    text = evalc("reply = answer(request, given{1});");
  catch problem
    reply = struct("errored", strsplit(problem.message, "\n"){1});
  end
  if isfield(reply, "groups")
    shown = cellfun(@(g) ["[" strjoin(arrayfun(@num2str, g, "UniformOutput", false), ", ") "]"], ...
                    reply.groups, "UniformOutput", false);
    printf("{\"id\": %s, \"groups\": [%s]}\n", jsonencode(request.id), strjoin(shown, ", "));
  else
    reply.id = request.id;
    printf("%s\n", jsonencode(reply));
  end
  fflush(stdout);
end
