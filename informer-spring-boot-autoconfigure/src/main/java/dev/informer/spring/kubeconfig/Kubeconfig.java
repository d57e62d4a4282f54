/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.kubeconfig;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
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
public final class Kubeconfig {

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
		for (KubeconfigSection entry : document.sections(list)) {
			String name = entry.requiredText("name");
			entries.putIfAbsent(name, entry.section(key, list + "[" + name + "]." + key));
		}
	}

	/**
	 * Read files.
	 * @param files the files, the most important one first
	 * @return the merged kubeconfig
	 * @throws InvalidKubeconfigException if a file cannot be read or is not a kubeconfig
	 */
	public static Kubeconfig read(List<Path> files) {
		List<KubeconfigSection> documents = new ArrayList<>();
		for (Path file : files) {
			try (Reader reader = Files.newBufferedReader(file)) {
				documents.add(parse(file, reader));
			}
			catch (IOException ex) {
				throw new InvalidKubeconfigException(file.toString(), "",
						"cannot be read (" + ex.getClass().getSimpleName() + ")",
						"Check the permissions of the file, and that it is a text in UTF-8.");
			}
		}
		return new Kubeconfig(documents);
	}

	/**
	 * Parse a text.
	 * @param text the text
	 * @return the kubeconfig
	 * @throws InvalidKubeconfigException if the text is not a kubeconfig
	 */
	public static Kubeconfig parse(String text) {
		return new Kubeconfig(List.of(parse(null, new StringReader(text))));
	}

	private static KubeconfigSection parse(@Nullable Path file, Reader reader) {
		LoaderOptions options = new LoaderOptions();
		options.setMergeOnCompose(true);
		try {
			return new KubeconfigSection(file, "", new Yaml(new SafeConstructor(options)).compose(reader), 1);
		}
		catch (MarkedYAMLException ex) {
			// Neither the message nor the exception itself: both quote the file, which
			// may be a token.
			int line = (ex.getProblemMark() != null) ? ex.getProblemMark().getLine() + 1 : 1;
			throw new InvalidKubeconfigException(KubeconfigSection.location(file, line), "", "is not valid YAML",
					"Correct the syntax, for example with: kubectl config view.");
		}
		catch (YAMLException ex) {
			throw new InvalidKubeconfigException(KubeconfigSection.location(file, 1), "", "is not valid YAML",
					"Correct the file: it may contain unprintable characters.");
		}
	}

	/**
	 * Return the names of the contexts.
	 * @return the names
	 */
	public List<String> contexts() {
		return List.copyOf(this.contexts.keySet());
	}

	/**
	 * Return the name of the current context.
	 * @return the name; {@code null} for none
	 */
	public @Nullable String currentContext() {
		return (this.current != null) ? this.current.text("current-context") : null;
	}

	/**
	 * Return the current context.
	 * @return the context
	 * @throws InvalidKubeconfigException if it is missing or unusable
	 */
	public KubeconfigContext requiredContext() {
		String name = currentContext();
		if (name == null) {
			throw new InvalidKubeconfigException(KubeconfigSection.location(null, 1), "current-context", "is missing",
					"Use one of " + contexts() + ".");
		}
		return context(name);
	}

	/**
	 * Return a context.
	 * @param name the name
	 * @return the context
	 * @throws InvalidKubeconfigException if the context, its cluster or its user is
	 * missing or has unsupported keys
	 */
	public KubeconfigContext context(String name) {
		KubeconfigSection context = this.contexts.get(name);
		if (context == null) {
			String action = "Use one of " + contexts() + ".";
			throw (this.current != null)
					? this.current.invalid("current-context", "names the unknown context '" + name + "'", action)
					: new InvalidKubeconfigException("files", "contexts", "has no entry '" + name + "'", action);
		}
		String user = context.text("user");
		return KubeconfigContext.of(name, context, entry(context, "cluster", this.clusters),
				(user != null) ? entry(context, "user", this.users) : context.section("user"),
				(user != null) ? user : "");
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
