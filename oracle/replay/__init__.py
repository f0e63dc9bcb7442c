"""Could an algorithm have given these groups? Its runs, one for each way of breaking ties."""
