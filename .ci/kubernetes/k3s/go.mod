module k3s-stand-in

go 1.26
