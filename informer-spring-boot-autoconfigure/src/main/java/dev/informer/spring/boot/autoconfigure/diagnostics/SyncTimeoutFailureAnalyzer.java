/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.diagnostics;

import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.List;

import javax.net.ssl.SSLException;

import dev.informer.InformerFailure;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.spring.SyncTimeoutException;
import dev.informer.spring.UnsyncedInformer;
import dev.informer.spring.config.RequiredRights;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AbstractFailureAnalyzer} for {@link SyncTimeoutException}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class SyncTimeoutFailureAnalyzer extends AbstractFailureAnalyzer<SyncTimeoutException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, SyncTimeoutException cause) {
		if (!cause.isConnected()) {
			return new FailureAnalysis("The API client was not created within " + seconds(cause) + ".",
					"Check what creates it: the exec plugin of the kubeconfig's user, which may wait for input or for "
							+ "its identity provider, or the ApiClient bean of the application. If it needs more time, "
							+ "increase informer.startup.timeout; to start without informers, set "
							+ "informer.startup.on-timeout=warn.",
					cause);
		}
		if (!cause.handlers().isEmpty()) {
			return new FailureAnalysis(
					"Handlers did not receive the initial list within " + seconds(cause) + ":" + System.lineSeparator()
							+ System.lineSeparator() + InformerFailureAnalyzer.list(cause.handlers().stream()),
					"Make the handlers faster or increase their concurrency, or increase informer.startup.timeout. To "
							+ "start without waiting for them, set informer.startup.await-handlers=false.",
					cause);
		}
		String informers = InformerFailureAnalyzer.list(cause.informers().stream().map(UnsyncedInformer::toString));
		String remedies = InformerFailureAnalyzer
			.list(cause.informers().stream().map((informer) -> informer.name() + ": " + remedy(informer)));
		return new FailureAnalysis(
				"Required informers did not sync within " + seconds(cause) + ":" + System.lineSeparator()
						+ System.lineSeparator() + informers,
				System.lineSeparator() + remedies + System.lineSeparator() + System.lineSeparator()
						+ "To start without them, set informer.resources.<name>.required=false or "
						+ "informer.startup.on-timeout=warn."
						+ (cause.rights().isEmpty() ? "" : "\n\n" + RequiredRights.INTRODUCTION + cause.rights()),
				cause);
	}

	private static String seconds(SyncTimeoutException cause) {
		return "informer.startup.timeout (" + TimeSource.millis(cause.timeout()) + " ms)";
	}

	private static String remedy(UnsyncedInformer unsynced) {
		String informer = unsynced.name();
		ResourceType<?> resourceType = unsynced.resourceType();
		InformerFailure failure = unsynced.state().failure();
		if (failure == null) {
			String group = unsynced.awaitedGroup();
			return (group != null)
					? "It waits until this replica has joined the group '" + group
							+ "': see the log lines of Sharding '" + group
							+ "', or set informer.startup.on-timeout=warn and see the health informerSharding."
					: "It may be slow: increase informer.startup.timeout.";
		}
		return switch (failure.kind()) {
			case FORBIDDEN -> "Grant the " + (unsynced.options().watch() ? "verbs list and watch" : "verb list")
					+ " on the resource " + permissions(unsynced) + ".";
			case UNAUTHORIZED -> "Configure credentials that the server accepts: informer.connection.token, "
					+ "informer.connection.token-file, the kubeconfig, or the service account.";
			case UNREACHABLE -> unreachable(failure.cause());
			case NOT_FOUND -> resourceType.isBuiltIn()
					? "Correct informer.connection.url or the server in the kubeconfig: it may not be an API server, "
							+ "or its path may be missing or wrong."
					: "Install the resource " + resourceType.qualifiedName()
							+ (resourceType.version().isEmpty() ? "" : " in version " + resourceType.version())
							+ " at the server (kubectl apply of its CustomResourceDefinition), correct informer.resources."
							+ informer + ".resource or the class if its name differs at the server, or set "
							+ "informer.resources." + informer + ".required=false to start without it.";
			case INVALID -> remedyOfInvalid(informer);
			case SIZE_LIMIT ->
				"Delete objects, select fewer, or raise informer.resources." + informer + ".max-size and the heap.";
			default -> "If the application can start without it, set informer.resources." + informer
					+ ".required=false or informer.startup.on-timeout=warn.";
		};
	}

	static String remedyOfInvalid(String informer) {
		String key = "informer.resources." + informer;
		return "Change " + key + ".label-selector, " + key + ".field-selector, " + key + ".namespace-selector or " + key
				+ ".namespaces.";
	}

	private static String permissions(UnsyncedInformer informer) {
		String resource = informer.resourceType().qualifiedName();
		List<String> namespaces = informer.options().namespaces();
		String selector = informer.options().namespaceSelector();
		if (selector != null) {
			return "namespaces by a ClusterRole and a ClusterRoleBinding, and on the resource " + resource
					+ " by a Role and a RoleBinding in each namespace that matches '" + selector
					+ "'; check the permissions with: kubectl auth can-i watch namespaces";
		}
		return resource + where(informer.resourceType(), namespaces)
				+ "; check the permissions with: kubectl auth can-i "
				+ (informer.options().watch() ? "watch " : "list ") + resource
				+ (namespaces.isEmpty() ? " --all-namespaces" : " -n " + namespaces.get(0))
				+ ((namespaces.size() > 1) ? ", and in the other namespaces" : "");
	}

	private static String unreachable(Throwable cause) {
		return isTls(cause)
				? "Correct informer.connection.url, informer.connection.ca-certificate or "
						+ "informer.connection.ssl.bundle, or server, certificate-authority, client-certificate, "
						+ "client-key and tls-server-name in the kubeconfig."
				: "Check that the API server is running and that the URL of the connection is correct.";
	}

	/**
	 * Return whether TLS is the cause, possibly at another address of the server.
	 */
	private static boolean isTls(Throwable cause) {
		return cause instanceof SSLException || (!(cause instanceof InterruptedIOException)
				&& Arrays.stream(cause.getSuppressed()).anyMatch(SyncTimeoutFailureAnalyzer::isTls));
	}

	private static String where(ResourceType<?> resourceType, List<String> namespaces) {
		if (!resourceType.namespaced() || namespaces.isEmpty()) {
			return " by a ClusterRole and a ClusterRoleBinding";
		}
		return " by a Role and a RoleBinding in each of the namespaces " + namespaces;
	}

}
