/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPair;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Files of one control plane, in a separate folder.
 *
 * @param root the folder
 */
record ControlPlaneFolder(Path root) {

	private static final String PUBLIC_KEY = "service-account.pub";

	private static final String PRIVATE_KEY = "service-account.key";

	private static final String TOKENS = "tokens.csv";

	private static final String CERTIFICATES = "certificates";

	static ControlPlaneFolder create(Collection<TokenUser> users) {
		try {
			ControlPlaneFolder folder = new ControlPlaneFolder(Files.createTempDirectory("control-plane-"));
			KeyPair key = Pem.newKeyPair();
			Files.writeString(folder.serviceAccountPublicKey(), Pem.of("PUBLIC KEY", key.getPublic().getEncoded()));
			Files.writeString(folder.serviceAccountPrivateKey(), Pem.of("PRIVATE KEY", key.getPrivate().getEncoded()));
			Files.writeString(folder.tokens(),
					users.stream().map(TokenUser::toLine).collect(Collectors.joining("\n", "", "\n")));
			return folder;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot write the files of a control plane", ex);
		}
	}

	/**
	 * Create a folder with the users, keys and certificates of this one, and with the
	 * earlier state of its data.
	 */
	ControlPlaneFolder createStandby() {
		try {
			Path standby = Files.createTempDirectory("control-plane-");
			for (String name : List.of(PUBLIC_KEY, PRIVATE_KEY, TOKENS)) {
				Files.copy(this.root.resolve(name), standby.resolve(name));
			}
			copy(certificates(), standby.resolve(CERTIFICATES));
			copy(this.root.resolve(Etcd.BACKUP), standby.resolve(Etcd.DATA));
			return new ControlPlaneFolder(standby);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot copy the files of a control plane", ex);
		}
	}

	Path serviceAccountPublicKey() {
		return this.root.resolve(PUBLIC_KEY);
	}

	Path serviceAccountPrivateKey() {
		return this.root.resolve(PRIVATE_KEY);
	}

	Path tokens() {
		return this.root.resolve(TOKENS);
	}

	Path certificates() {
		return this.root.resolve(CERTIFICATES);
	}

	/**
	 * Return the file into which kube-apiserver writes the chain that it made for itself.
	 * @return the file's path
	 */
	Path serverCertificate() {
		return certificates().resolve("apiserver.crt");
	}

	void replaceServerCertificate(String chain, String key) {
		write("certificates/apiserver.crt", chain);
		write("certificates/apiserver.key", key);
	}

	/**
	 * Return whether kube-apiserver has written its chain completely.
	 */
	boolean hasServerCertificate() {
		try {
			return Files.exists(serverCertificate()) && Pem.isComplete(Files.readString(serverCertificate()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read the API server's certificate", ex);
		}
	}

	byte[] certificateAuthority() {
		try {
			return Pem.lastCertificate(Files.readString(serverCertificate()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read the API server's certificate", ex);
		}
	}

	/**
	 * Write a file at once, so that a process that reads it never finds a part of it.
	 */
	Path write(String name, String content) {
		try {
			Path complete = Files.writeString(this.root.resolve(name + ".tmp"), content);
			return Files.move(complete, this.root.resolve(name), StandardCopyOption.REPLACE_EXISTING,
					StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot write " + name, ex);
		}
	}

	/**
	 * Replace a folder with a copy of another one.
	 */
	void copy(String from, String to) {
		copy(this.root.resolve(from), this.root.resolve(to));
	}

	private static void copy(Path source, Path target) {
		delete(target);
		try (Stream<Path> walk = Files.walk(source)) {
			List<Path> shallowestFirst = walk.toList();
			for (Path path : shallowestFirst) {
				Files.copy(path, target.resolve(source.relativize(path)));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot copy " + source, ex);
		}
	}

	void delete() {
		delete(this.root);
	}

	private static void delete(Path folder) {
		if (!Files.exists(folder)) {
			return;
		}
		try (Stream<Path> walk = Files.walk(folder)) {
			List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
			for (Path path : deepestFirst) {
				Files.deleteIfExists(path);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot delete " + folder, ex);
		}
	}

}
