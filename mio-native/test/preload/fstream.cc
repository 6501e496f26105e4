// C++ streams: opened by the C library's streams, then read and written by their numbers.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <unistd.h>

static void see(const char *name)
{
	std::ifstream in(name, std::ios::binary);
	std::stringstream all;

	all << in.rdbuf();
	std::cout << name << ": " << all.str().size() << " " << std::hash<std::string>()(all.str()) << std::endl;
}

int main(int argc, char **argv)
{
	if (argc < 2 || chdir(argv[1]) != 0)
		return 1;
	{
		std::ofstream out("a");

		for (int i = 0; i < 5000; i++)
			out << "line " << i << "\n";
		std::cout << out.tellp() << " " << out.good() << std::endl;
	}
	see("a");
	{
		std::fstream both("a", std::ios::in | std::ios::out);
		std::string line;

		std::getline(both, line);
		std::cout << line << " " << both.tellg() << std::endl;
		both.seekp(20);
		both << "OVER";
		both.seekg(15);
		std::getline(both, line);
		std::cout << line << std::endl;
		both.seekg(0, std::ios::end);
		std::cout << both.tellg() << std::endl;
		both.seekp(60000);
		both << "far";
	}
	see("a");
	{
		std::ofstream out("a", std::ios::app);

		out << std::string(100000, 'z');
		out.flush();
		see("a");
		out << "end";
	}
	see("a");
	{
		std::ifstream none("none");
		std::ofstream directory(".");

		std::cout << none.is_open() << directory.is_open() << std::endl;
	}
	{
		std::ofstream out("cut", std::ios::trunc);

		out << "cut";
		out.close();
		out.open("a", std::ios::trunc | std::ios::binary);
		out << "new";
	}
	see("a");
	std::filesystem::copy_file("a", "copy");
	std::filesystem::copy_file("cut", "copy", std::filesystem::copy_options::overwrite_existing);
	std::filesystem::resize_file("copy", 10);
	std::cout << std::filesystem::file_size("copy") << std::endl;
	see("copy");
	return 0;
}
