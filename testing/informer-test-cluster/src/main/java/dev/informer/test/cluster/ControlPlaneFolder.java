/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

	Path serviceAccountPublicKey() {
		return this.root.resolve("service-account.pub");
	}

	Path serviceAccountPrivateKey() {
		return this.root.resolve("service-account.key");
	}

	Path tokens() {
		return this.root.resolve("tokens.csv");
	}

	Path certificates() {
		return this.root.resolve("certificates");
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

	byte[] certificateAuthority() {
		try {
			return Pem.lastCertificate(Files.readString(serverCertificate()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read the API server's certificate", ex);
		}
	}

	Path write(String name, String content) {
		try {
			return Files.write(this.root.resolve(name), content.getBytes(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot write " + name, ex);
		}
	}

	/**
	 * Replace a folder with a copy of another one.
	 */
	void copy(String from, String to) {
		Path source = this.root.resolve(from);
		Path target = this.root.resolve(to);
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
