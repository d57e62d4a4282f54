/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.test.http.ApiRequest;
import dev.informer.test.http.RequestPath;
import dev.informer.test.store.StatusErrors;
import org.jspecify.annotations.Nullable;

/**
 * Users of an embedded server and their permissions: a simple allow list in place of
 * RBAC. Changes apply from the next request on. Open watches stay open, as on the real
 * server.
 * <p>
 * Thread-safe.
 */
public final class Access {

	/**
	 * User of the token set by {@link EmbeddedKubernetesOptions#token}.
	 */
	static final String OWNER = "embedded";

	private final Map<String, User> users = new ConcurrentHashMap<>();

	Access(@Nullable String ownToken, Map<String, User> users) {
		if (ownToken != null) {
			this.users.put(OWNER, new User(ownToken, List.of(AccessRule.everything())));
		}
		this.users.putAll(users);
	}

	/**
	 * Replace the rules of a user.
	 * @param user the name of the user
	 * @param rules the permissions, none to deny everything
	 * @throws IllegalArgumentException if the user is unknown
	 */
	public void allow(String user, AccessRule... rules) {
		change(user, new User(require(user).token(), List.of(rules)));
	}

	/**
	 * Remove all permissions of a user. The requests of that user are answered with 403.
	 * @param user the name of the user
	 * @throws IllegalArgumentException if the user is unknown
	 */
	public void deny(String user) {
		allow(user);
	}

	/**
	 * Replace the token of a user. Requests with the previous token are answered with
	 * 401.
	 * @param user the name of the user
	 * @param token the new bearer token
	 * @throws IllegalArgumentException if the user is unknown
	 */
	public void token(String user, String token) {
		change(user, new User(token, require(user).rules()));
	}

	private void change(String name, User user) {
		this.users.put(name, user);
	}

	private User require(String name) {
		User user = this.users.get(name);
		if (user == null) {
			throw new IllegalArgumentException(
					"Unknown user \"" + name + "\", known users: " + this.users.keySet().stream().sorted().toList()
							+ ". Add users with EmbeddedKubernetesOptions.user.");
		}
		return user;
	}

	String tokenOf(String name) {
		return require(name).token();
	}

	/**
	 * Check the token of a request, and the permission of its user. Without users,
	 * everything is allowed.
	 * @param path the path under a group and version; {@code null} for other requests
	 * @throws KubernetesStatusException with 401 if the request has no known token, with
	 * 403 if its user lacks the permission
	 */
	void check(ApiRequest request, @Nullable RequestPath path) {
		if (this.users.isEmpty()) {
			return;
		}
		String authorization = request.header("authorization");
		String name = this.users.entrySet()
			.stream()
			.filter((user) -> authorization.equals("Bearer " + user.getValue().token()))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElseThrow(StatusErrors::unauthorized);
		if (path != null) {
			authorize(name, path.verb(request), path);
		}
	}

	private void authorize(String name, Verb verb, RequestPath path) {
		String resource = path.definition().resource();
		String subresource = path.subresource();
		String full = subresource.isEmpty() ? resource : resource + "/" + subresource;
		if (require(name).rules().stream().noneMatch((rule) -> rule.allows(verb, full, path.scope()))) {
			throw path.notAllowed(name, verb);
		}
	}

	/**
	 * User of the server.
	 *
	 * @param token the bearer token
	 * @param rules the permissions
	 */
	record User(String token, List<AccessRule> rules) {
	}

}
