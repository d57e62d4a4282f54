/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client.connection;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Kubeconfig from one or several files. Several are merged as kubectl does: the first
 * file that sets the current context or defines an entry wins. Immutable.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/#merging-kubeconfig-files">Merging
 * kubeconfig files</a>
 */
final class Kubeconfig {

	private static final Set<String> CONTEXT = Set.of("cluster", "user", "namespace", "extensions");

	private final Map<String, KubeconfigSection> clusters = new LinkedHashMap<>();

	private final Map<String, KubeconfigSection> contexts = new LinkedHashMap<>();

	private final Map<String, KubeconfigSection> users = new LinkedHashMap<>();

	private @Nullable KubeconfigSection current;

	private Kubeconfig(List<KubeconfigSection> documents) {
		for (KubeconfigSection document : documents) {
			if (this.current == null && document.text("current-context") != null) {
				this.current = document;
			}
			addAll(document, "clusters", "cluster", this.clusters);
			addAll(document, "contexts", "context", this.contexts);
			addAll(document, "users", "user", this.users);
		}
	}

	private static void addAll(KubeconfigSection document, String list, String key,
			Map<String, KubeconfigSection> entries) {
		Set<String> names = new HashSet<>();
		for (KubeconfigSection entry : document.sections(list)) {
			String name = entry.requiredText("name");
			if (!names.add(name)) {
				throw entry.invalid("name", "'" + name + "' is not unique in its file", "Remove one of the entries.");
			}
			entries.putIfAbsent(name, entry.section(key, list + "[" + name + "]." + key));
		}
	}

	static Kubeconfig read(List<Path> files) {
		List<KubeconfigSection> documents = new ArrayList<>();
		for (Path file : files) {
			try (Reader reader = Files.newBufferedReader(file)) {
				documents.add(parse(file, reader));
			}
			catch (IOException ex) {
				throw InvalidConnectionException.ofKubeconfig(file.toString(), "",
						"cannot be read (" + ex.getClass().getSimpleName() + ")",
						"Check the permissions of the file, and that it is a text in UTF-8.");
			}
		}
		return new Kubeconfig(documents);
	}

	static Kubeconfig parse(String text) {
		return new Kubeconfig(List.of(parse(null, new StringReader(text))));
	}

	private static KubeconfigSection parse(@Nullable Path file, Reader reader) {
		try {
			KubeconfigSection document = new KubeconfigSection(file, "", new Yaml().compose(reader), 1);
			require(document, "kind", "Config");
			require(document, "apiVersion", "v1");
			return document;
		}
		catch (YAMLException ex) {
			// Neither the message nor the exception itself: both quote the file, which
			// may be a token.
			int line = (ex instanceof MarkedYAMLException marked && marked.getProblemMark() != null)
					? marked.getProblemMark().getLine() + 1 : 1;
			throw InvalidConnectionException.ofKubeconfig(KubeconfigSection.location(file, line), "",
					"is not valid YAML", "Correct the syntax, for example with: kubectl config view.");
		}
	}

	private static void require(KubeconfigSection document, String key, String expected) {
		String actual = document.text(key);
		if (actual != null && !actual.equals(expected)) {
			throw document.invalid(key, "is not " + expected, "Specify a kubeconfig.");
		}
	}

	/**
	 * Return the names of the contexts.
	 */
	List<String> contexts() {
		return List.copyOf(this.contexts.keySet());
	}

	/**
	 * Return the name of the current context.
	 */
	@Nullable String currentContext() {
		return (this.current != null) ? this.current.text("current-context") : null;
	}

	KubeconfigContext requiredContext() {
		String name = currentContext();
		if (name == null) {
			throw InvalidConnectionException.ofKubeconfig(KubeconfigSection.location(null, 1), "current-context",
					"is missing", "Use one of " + contexts() + ".");
		}
		return context(name);
	}

	/**
	 * Return the current context, or another one that exists.
	 */
	KubeconfigContext context(String name) {
		KubeconfigSection context = this.contexts.get(name);
		if (context == null) {
			throw Objects.requireNonNull(this.current)
				.invalid("current-context", "names the unknown context '" + name + "'",
						"Use one of " + contexts() + ".");
		}
		context.rejectUnknownKeys(CONTEXT);
		String user = context.text("user");
		return new KubeconfigContext(name, entry(context, "cluster", this.clusters),
				(user != null) ? entry(context, "user", this.users) : context.section("user"),
				(user != null) ? user : "", context.text("namespace"));
	}

	private static KubeconfigSection entry(KubeconfigSection context, String key,
			Map<String, KubeconfigSection> entries) {
		String name = context.requiredText(key);
		KubeconfigSection entry = entries.get(name);
		if (entry == null) {
			throw context.invalid(key, "names the unknown " + key + " '" + name + "'",
					"Use one of " + List.copyOf(entries.keySet()) + ", or add the " + key + ".");
		}
		return entry;
	}

}
