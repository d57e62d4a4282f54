/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * Who may use an embedded server, and for what: a simple allow list in place of RBAC.
 * Changes hold from the next request on; open watches go on, as on the real server.
 * Thread-safe.
 */
public final class Access {

	/** The user whose token {@link EmbeddedKubernetesOptions#token} sets. */
	static final String OWNER = "embedded";

	private final Map<String, User> users = new ConcurrentHashMap<>();

	Access(@Nullable String ownToken, Map<String, User> users) {
		if (ownToken != null) {
			this.users.put(OWNER, new User(ownToken, List.of(AccessRule.everything())));
		}
		this.users.putAll(users);
	}

	/**
	 * Sets what a user may do, in place of what the user may do now.
	 * @param user the user's name
	 * @param rules what the user may do from now on, none for nothing
	 * @throws IllegalArgumentException when there is no such user
	 */
	public void allow(String user, AccessRule... rules) {
		change(user, new User(require(user).token(), List.of(rules)));
	}

	/**
	 * Takes all rights away from a user, whose requests are answered with 403.
	 * @param user the user's name
	 * @throws IllegalArgumentException when there is no such user
	 */
	public void deny(String user) {
		allow(user);
	}

	/**
	 * Changes a user's token. Requests with the old one are answered with 401.
	 * @param user the user's name
	 * @param token the bearer token that is good from now on
	 * @throws IllegalArgumentException when there is no such user
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
					"There is no user \"" + name + "\", only " + this.users.keySet().stream().sorted().toList()
							+ "; add users with EmbeddedKubernetesOptions.user");
		}
		return user;
	}

	String tokenOf(String name) {
		return require(name).token();
	}

	/**
	 * Finds out who sends a request.
	 * @return the user's name, empty when the server knows no users and lets everybody do
	 * everything
	 * @throws KubernetesStatusException 401 when the request says nothing that is known
	 */
	Optional<String> authenticate(ApiRequest request) {
		if (this.users.isEmpty()) {
			return Optional.empty();
		}
		String authorization = request.header("authorization");
		return Optional.of(this.users.entrySet()
			.stream()
			.filter((user) -> authorization.equals("Bearer " + user.getValue().token()))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElseThrow(StatusErrors::unauthorized));
	}

	/**
	 * Checks that a user may do what a request asks for.
	 * @throws KubernetesStatusException 403 when not
	 */
	void authorize(String name, Verb verb, RequestPath path) {
		String resource = path.definition().resource();
		String subresource = path.subresource();
		String full = subresource.isEmpty() ? resource : resource + "/" + subresource;
		if (require(name).rules().stream().noneMatch((rule) -> rule.allows(verb, full, path.scope()))) {
			throw StatusErrors.notAllowed(name, verb, path);
		}
	}

	/**
	 * A user.
	 *
	 * @param token the bearer token
	 * @param rules what the user may do
	 */
	record User(String token, List<AccessRule> rules) {
	}

}
